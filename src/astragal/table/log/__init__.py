"""The log of a table: store protocol, codec, history, snapshots, sessions in memory, exports."""
