"""The real hosts, run offline: a scripted model, throwaway homes, one-shot turns and a driven gateway."""
