// Requests use the session of this browser, or the token set under "Authorize".
const wantsDark = window.matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.classList.toggle('dark-mode', wantsDark)

window.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  // No external schema validation service.
  validatorUrl: null,
})
