// Before anything is painted: the theme that was chosen in the dashboard.
try {
  const chosen = localStorage.getItem('footfall-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is shut: the system's theme it is.
}
