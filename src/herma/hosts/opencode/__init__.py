"""OpenCode, spoken to by the JavaScript file in `integrations/opencode` through `herma rpc`."""
