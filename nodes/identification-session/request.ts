/** Builds the request for a session from the form (`docs/interface.md` 2.5). */
import { layForm, overlay } from '../../lib/runtime/values/body'
import type { PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import type { SessionCall } from './session-call'

/**
 * Builds the request in v2 names: the form's values override the object of "more". Fields that belong to another flow
 * are left out.
 */
export function toRequest({ values, body }: SessionCall): PlainObject {
  const form = {
    flow: values.flow,
    allowedProviders: splitList(values.allowedProviders),
    language: values.language,
    include: splitList(values.include),
    ...settingsOf(values),
    externalReference: values.externalReference,
  }
  return layForm(body({}), values.more, form)
}

function settingsOf(values: SessionCall['values']): PlainObject {
  const ui = { themeMode: values.themeMode, colorTheme: values.colorTheme, topBar: { title: values.topBarTitle } }
  const settings: Readonly<Record<string, PlainObject>> = {
    redirect: {
      ui,
      redirectSettings: { successUrl: values.successUrl, abortUrl: values.abortUrl, errorUrl: values.errorUrl },
    },
    iframe: {
      ui,
      iframeSettings: {
        parentDomains: splitList(values.parentDomains),
        postMessageTargetOrigin: values.postMessageTargetOrigin,
      },
    },
    headless: {
      prefilledInput: { phoneNumber: values.phoneNumber, dateOfBirth: values.dateOfBirth, nin: values.nin },
    },
  }
  const { flow = '' } = values
  // For an unknown flow, all settings are sent, and the service checks them.
  if (!Object.hasOwn(settings, flow)) return Object.values(settings).reduce(overlay, {})
  return settings[flow] ?? {}
}
