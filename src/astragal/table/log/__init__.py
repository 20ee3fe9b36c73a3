"""The log and what is kept of it: store protocol, codec, history, snapshots, sessions, exports."""
