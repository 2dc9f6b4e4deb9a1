"""What Herma does, shown with a real Hermes, a scripted model and no key: `make demo`."""
