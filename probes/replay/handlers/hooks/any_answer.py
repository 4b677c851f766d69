"""Stands for every host: whatever Python's own library asks for, the answer is what $ANY_ANSWER says."""

import http.client
import io
import os
import urllib.request


class _Answer(io.BytesIO):
    status = code = 200
    reason = msg = "OK"

    def __init__(self, *given, **named):
        io.BytesIO.__init__(self, os.environ.get("ANY_ANSWER", "").encode())
        self.headers = http.client.HTTPMessage()

    def getcode(self):
        return 200

    def info(self):
        return self.headers

    def geturl(self):
        return ""

    def getheader(self, name, default=None):
        return default

    def getheaders(self):
        return []


urllib.request.urlopen = _Answer
http.client.HTTPConnection.connect = http.client.HTTPSConnection.connect = lambda self: None
http.client.HTTPConnection.request = lambda self, *given, **named: None
http.client.HTTPConnection.getresponse = _Answer
