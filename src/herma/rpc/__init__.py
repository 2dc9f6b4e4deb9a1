"""JSON-RPC 2.0, one object a line, over stdin and stdout: how hosts that are not Python speak with Herma."""
