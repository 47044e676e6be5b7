// Runs before the first paint. The page contains the sign-in form, so that it is visible before the modules are loaded;
// signed-in users do not see it.
function isSigningIn(): boolean {
  try {
    return location.hash.startsWith('#sign-in=') || sessionStorage.getItem('petstore-key') !== null
  } catch {
    return false
  }
}

if (isSigningIn()) document.documentElement.dataset['session'] = 'starting'
