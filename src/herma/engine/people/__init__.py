"""The service behind manyhands: who is speaking, what they may do, who is asked, what is kept."""
