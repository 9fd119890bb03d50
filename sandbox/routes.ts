/** All routes of the sandbox, area by area: every operation of the service, and the pages and controls around them. */
import type { Panel } from './admin/panel-type'
import { createAdminRoutes } from './admin/routes'
import { depositPages, depositPanels, depositRoutes } from './deposit/routes'
import { identificationPages, identificationPanels, identificationRoutes } from './identification/routes'
import { notificationPages, notificationPanels, notificationRoutes } from './notification/routes'
import { iconRoutes } from './pages/icon'
import type { Route, Routes } from './server/call'
import { sharePages, sharePanels, shareRoutes } from './share/routes'
import { signaturePages, signaturePanels, signatureRoutes } from './signature/routes'
import { tokenRoute } from './token/token'

const operations: Routes = {
  ...signatureRoutes,
  ...depositRoutes,
  ...shareRoutes,
  ...identificationRoutes,
  ...notificationRoutes,
}

/** The routes of the operations and of `token`, by name. */
export const operationRoutes: Readonly<Record<string, Route>> = { ...operations, token: tokenRoute }

/** The panels of the control room, in page order. */
const panels: readonly Panel[] = [
  ...signaturePanels,
  ...identificationPanels,
  ...sharePanels,
  ...depositPanels,
  ...notificationPanels,
]

export const otherRoutes: readonly Route[] = [
  ...signaturePages,
  ...depositPages,
  ...sharePages,
  ...identificationPages,
  ...notificationPages,
  ...iconRoutes,
  ...createAdminRoutes(panels, Object.keys(operationRoutes)),
]
