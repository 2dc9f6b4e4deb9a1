"""Scripts of the development ground: environments, locks and generated pages."""
