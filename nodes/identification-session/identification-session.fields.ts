/** Settings of "identification session". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { body, more } from '../../lib/settings/request-body'

const create = { operation: ['create'] } as const
const text = { kind: 'string', initial: '', type: 'str', request: true, when: create } as const satisfies TypedField
const list = {
  kind: 'any',
  initial: '',
  type: 'str',
  several: true,
  request: true,
  when: create,
} as const satisfies TypedField
const flow = (name: string) => ({ operation: ['create'], flow: [name] }) as const
/** A setting for the appearance of the page. Only v2 has such settings. */
const onPage = {
  ...text,
  when: ['redirect', 'iframe'].map((one) => ({ ...flow(one), apiVersion: ['v2'] })),
} satisfies TypedField
/** A return address: v1 requires it also for a session in a frame. */
const redirect = {
  ...text,
  required: 'request',
  requiredWhen: [{ flow: ['redirect'] }, { flow: ['iframe'], apiVersion: ['v1'] }],
  rule: 'url',
  when: [flow('redirect'), { ...flow('iframe'), apiVersion: ['v1'] }],
} as const
const headless = { ...text, when: flow('headless') } as const
/**
 * Makes a setting required for one provider if the session has no page. Only v2 distinguishes the providers, because v1
 * sends all sessions without a page to a phone.
 */
const byProvider = (provider: string) =>
  ({
    required: 'request',
    requiredWhen: { flow: ['headless'], apiVersion: ['v2'], allowedProviders: [provider] },
  }) as const
const ofPhone = {
  required: 'request',
  requiredWhen: [byProvider('no_eid_mobile').requiredWhen, { flow: ['headless'], apiVersion: ['v1'] }],
} as const
const flows = ['redirect', 'iframe', 'headless'] as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'create', choices: ['create', 'get', 'list', 'invalidate'] },
  apiVersion: { kind: 'choice', initial: 'v2', choices: ['v2', 'v1'] },
  sessionId: {
    kind: 'id',
    initial: 'sessionId',
    type: 'msg',
    required: true,
    when: { operation: ['get', 'invalidate'] },
  },
  flow: {
    ...text,
    choices: flows,
    suggestions: flows,
    required: 'request',
  },
  allowedProviders: {
    ...list,
    required: 'request',
    requiredWhen: { flow: ['headless'], apiVersion: ['v2'] },
    suggest: 'providers',
    suggestions: ['no_eid_mobile', 'no_eid_netcentric', 'no_eid', 'se_eid', 'fi_eid', 'sms_otp'],
    words: 'eid',
  },
  language: {
    ...text,
    suggest: 'languages',
    suggestions: ['en', 'no', 'sv', 'da', 'fi', 'de', 'nl'],
    words: 'language',
  },
  include: { ...list, suggestions: ['name', 'date_of_birth', 'phone_number', 'nin', 'email'] },
  successUrl: { ...redirect, path: ['redirectSettings.successUrl', 'ReturnUrls.Success'] },
  abortUrl: { ...redirect, path: ['redirectSettings.abortUrl', 'ReturnUrls.Abort'] },
  errorUrl: { ...redirect, path: ['redirectSettings.errorUrl', 'ReturnUrls.Error'] },
  parentDomains: { ...list, path: ['iframeSettings.parentDomains', 'iFrame.Domain'], when: flow('iframe') },
  postMessageTargetOrigin: {
    ...text,
    path: 'iframeSettings.postMessageTargetOrigin',
    rule: 'origin',
    when: flow('iframe'),
  },
  themeMode: { ...onPage, path: 'ui.themeMode', suggestions: ['light', 'dark'], words: 'themeMode' },
  colorTheme: { ...onPage, path: 'ui.colorTheme', suggestions: ['default', 'light_blue'] },
  topBarTitle: { ...onPage, path: 'ui.topBar.title' },
  externalReference: text,
  phoneNumber: { ...headless, ...ofPhone, path: ['prefilledInput.phoneNumber', 'MobileNumber'] },
  dateOfBirth: { ...headless, ...ofPhone, path: ['prefilledInput.dateOfBirth', 'DateOfBirth'], rule: 'day' },
  nin: { ...headless, ...byProvider('se_eid'), path: 'prefilledInput.nin' },
  limit: { kind: 'number', initial: '100', type: 'num', rule: 'whole', when: { operation: ['list'] } },
  entryId: { kind: 'id', initial: '', type: 'str', when: { operation: ['list'], apiVersion: ['v1'] } },
  year: { kind: 'string', initial: '', type: 'str', rule: 'year', when: { operation: ['list'], apiVersion: ['v1'] } },
  more: { ...more, when: create },
  body: { ...body, when: create },
} as const satisfies Fields
