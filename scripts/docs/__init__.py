"""Makes the generated pages and manifests, and checks that the ones in the repository are fresh."""
