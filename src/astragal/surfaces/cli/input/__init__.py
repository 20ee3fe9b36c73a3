"""Reading a call: options, fields, values, seats and completions."""
