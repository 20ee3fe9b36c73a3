"""What lies on every table, whatever is played there: values of the state, with who may see each part of them."""
