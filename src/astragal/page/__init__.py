"""The table without a server: the web application inside a page of a browser, as a folder of static files."""
