"""Connection to a service: profiles, uploads, waiting for a judgement."""
