"""Readers of the databases in which hosts keep their sessions: nothing in them or beside them is ever written."""
