// Requests made here carry the session of this browser, or the token given under "Authorize".
const wantsDark = window.matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.classList.toggle('dark-mode', wantsDark)

window.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  // Asks nobody outside whether the schema is valid.
  validatorUrl: null,
})
