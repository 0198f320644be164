"""The service: an API and pages over HTTP. It renders and forwards; what it does is said in `service.lab`."""
