// Runs before the first paint. The page contains the sign-in form, so that it is visible before the modules are loaded;
// those who are signed in or invited do not see it.
function isSigningIn(): boolean {
  if (/^#(sign-in|invitation)=/.test(location.hash)) return true
  try {
    return ['petstore-key', 'petstore-invitation'].some((name) => sessionStorage.getItem(name) !== null)
  } catch {
    return false
  }
}

if (isSigningIn()) document.documentElement.dataset['session'] = 'starting'
