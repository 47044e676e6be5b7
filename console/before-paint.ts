// Runs before anything is painted. The page comes with the form to sign in, so that it can be seen before the modules have
// come; people who are signed in already do not see it.
function isSigningIn(): boolean {
  try {
    return location.hash.startsWith('#sign-in=') || sessionStorage.getItem('petstore-key') !== null
  } catch {
    return false
  }
}

if (isSigningIn()) document.documentElement.dataset['session'] = 'starting'
