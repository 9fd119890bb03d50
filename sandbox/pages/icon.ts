/** The icon of all sandbox pages: a pen over a line. The content security policy of the pages allows it. */
import type { Route } from '../server/call'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2457c5"/><path d="M8 21l1-5L19 6l4 4-10 10zM8 26h16" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`

const headers = {
  'Cache-Control': 'max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
}
const icon = (path: string): Route => ({
  method: 'GET',
  path,
  open: true,
  handle: () => ({ text: svg, type: 'image/svg+xml', headers }),
})

/** The routes of the icon: the address that the pages name, and the address that browsers request by themselves. */
export const iconRoutes: readonly Route[] = [icon('/icon.svg'), icon('/favicon.ico')]
