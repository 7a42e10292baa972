"""Wire values: what judging writes and every outlet reads, as frozen dataclasses, with one codec for JSON.

FindingDocument, AlarmDocument, OverviewDocument, PanelDocument, WaitGraphDocument and their parts:
`to_document(finding)["clauses"]`, `finding_from(document).conditions`.
"""

SCHEMA_VERSION = 1
"""Version of the JSON reports: the next one when a field is removed or changes its meaning."""
