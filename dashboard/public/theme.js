// Before anything is painted: the theme that was chosen here, so that a dark screen never flashes white.
try {
  const chosen = localStorage.getItem('footfall-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is shut: the system's theme it is.
}
