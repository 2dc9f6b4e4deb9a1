"""Our own index of a host's past conversations: a cache, made from the host's database and made again when in doubt."""
