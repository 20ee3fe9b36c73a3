"""Relay to Discord: receives a table's webhook, checks its signature, and posts the story to a channel.

    astragal table webhook "The Cliff" http://127.0.0.1:8090/ --seat Di
    SECRET=… DISCORD=https://discord.com/api/webhooks/… python examples/discord_relay.py

Use a spectator's seat: what is posted is what that seat sees. The table calls a private address such as this one only
where ASTRAGAL_WEBHOOKS_PRIVATE is 1.
"""

import hashlib
import hmac
import json
import os
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer

TOLD = {"narrated", "said", "emoted", "rolled", "scene_begun", "oracle_answered"}
LONGEST = 1900
"""Discord takes 2,000 characters."""


def story_of(body: bytes, signed: str, secret: str) -> str | None:
    """The lines to post; None for a call that the table did not sign."""
    right = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(right, signed):
        return None
    events = json.loads(body)["events"]
    return "\n".join(one["words"] for one in events if one["name"] in TOLD)[:LONGEST]


def post_to_discord(words: str) -> None:
    said = json.dumps({"content": words, "allowed_mentions": {"parse": []}}).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(os.environ["DISCORD"], said, headers), timeout=10).close()  # noqa: S310


class Relay(BaseHTTPRequestHandler):
    """Answers 204 once Discord has the story. After any other answer the table tries again."""

    post: Callable[[str], None] = staticmethod(post_to_discord)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        words = story_of(body, self.headers.get("Astragal-Signature", ""), os.environ["SECRET"])
        if words:
            self.post(words)
        self.send_response(403 if words is None else 204)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", 8090), Relay).serve_forever()
