// Shows HTML that an owner wrote, in a frame without an origin: its policy lets no script of that HTML run, and nothing of it reaches the dashboard.
const tellHeight = () =>
  parent.postMessage({ previewHeight: Math.ceil(document.body.getBoundingClientRect().bottom) + 8 }, '*')

addEventListener('message', ({ data, source }) => {
  if (source !== parent || typeof data?.previewHtml !== 'string') return
  document.body.innerHTML = data.previewHtml
  document.documentElement.style.colorScheme = 'light'
  tellHeight()
})
new ResizeObserver(tellHeight).observe(document.documentElement)
parent.postMessage({ previewReady: true }, '*')
