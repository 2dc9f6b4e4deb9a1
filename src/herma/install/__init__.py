"""Finding the hosts on this machine and asking each what is true about it. Nothing here changes anything."""
