"""The laboratory over a service that runs elsewhere: `async with elenchus.connect(url, token) as lab`."""
