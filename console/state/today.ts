import { useEffect, useState } from 'preact/hooks'
import { serviceNow } from '../api/service-clock.ts'

/** Today, by the clock of the service; whoever uses it is rendered again at midnight, or when the page is seen again. */
export function useToday(): string {
  const [today, setToday] = useState(readToday)
  useEffect(() => {
    const renew = (): void => setToday(readToday())
    const timer = setTimeout(renew, new Date(serviceNow()).setHours(24, 0, 0, 0) - serviceNow())
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [today])
  return today
}

function readToday(): string {
  return new Date(serviceNow()).toDateString()
}
