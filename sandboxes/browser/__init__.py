"""The guarded browser: a Chromium with a roof, addresses brought into one form, names and handshakes step by step."""
