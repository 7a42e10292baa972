"""Generator of the catalogue of kernel messages: `make message-catalogue CACHE=DIR CORPUS=DIR`.

    sources.yaml -> archives, verified by SHA-256 -> calls of C files -> messages
    -> ingest/native/src/messages/catalogue.bin

Archives and the calls found in them stay in the cache folder, outside of the repository. What is written
holds the order of constant words as hashes, levels and places, no format string (docs/adr/0036).
"""
