"""Balance on supports that stay in place ([Balance])."""
