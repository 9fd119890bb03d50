/** The typed-input types that a setting offers. */
import type { InputType, TypedField } from '../settings/fields'
import { hasChoices } from './choices'
import type { FormContext } from './form-context'
import type { Offered } from './suggestions'

const from: readonly InputType[] = ['msg', 'flow', 'global', 'env', 'jsonata']
const usual: Readonly<Record<string, readonly InputType[]>> = {
  string: ['str', ...from],
  id: ['msg', 'str', 'flow', 'global', 'env', 'jsonata'],
  number: ['num', ...from],
  boolean: ['bool', ...from],
  object: ['json', ...from],
  array: ['json', ...from],
  any: ['str', 'json', ...from],
}

/**
 * The types for `typedInput`. Node-RED's own types are given by name. Our own types, and types with suggestions, are
 * given as objects.
 */
export function typesOf(field: TypedField, { common, offers }: FormContext): (string | TypedInputType)[] {
  const own = field.types ?? usual[field.kind] ?? ['str']
  const names: readonly InputType[] = field.template ? ['tpl', ...own] : own
  return names.map((name) => {
    // The label differs, because `auto` takes a request from the form, but a file from the message.
    const label = common(name === 'auto' && field.kind === 'any' ? 'types.autoBody' : `types.${name}`)
    if (name === 'auto' || name === 'form') return { value: name, label, hasValue: false }
    if (name === 'tpl') return { value: name, label, icon: 'red/images/typedInput/az.svg' }
    if (name === 'path' || name === 'base64') return { value: name, label }
    // Node-RED's own check is left out, because it rejects a decimal comma.
    if (name === 'num') return { value: name, label, icon: 'red/images/typedInput/09.svg' }
    if (name === 'days') return { value: name, label, icon: 'fa fa-calendar-plus-o' }
    if (name === 'str' && hasChoices(field))
      return { value: 'str', label: common('types.choice'), icon: 'fa fa-list-ul' }
    if (name === 'str' && (field.suggestions ?? field.suggest)) return suggesting(() => offers.complete(field), label)
    // The choice includes an empty value for "not sent", which Node-RED's own true/false type does not have.
    if (name === 'bool' && field.initial === '') return threeWay(common)
    return name
  })
}

function suggesting(suggest: () => Promise<readonly Offered[]>, label: string): TypedInputType {
  void suggest() // The service's list is fetched now, so that it is complete when the user starts to type.
  return {
    value: 'str',
    label,
    icon: 'red/images/typedInput/az.svg',
    autoComplete: (typed, done) => {
      const fits = (one: Offered) => one.label.toLowerCase().includes(typed.toLowerCase())
      const fitting = (all: readonly Offered[]) =>
        all.some(({ value }) => value === typed) ? [...all] : all.filter(fits)
      void suggest().then((all) => done?.(fitting(all)))
      return undefined
    },
  }
}

function threeWay(common: (key: string) => string): TypedInputType {
  const options = ['', 'true', 'false'].map((value) => ({ value, label: common(`types.bool${value || 'Unset'}`) }))
  return { value: 'bool', label: common('types.bool'), icon: 'red/images/typedInput/bool.svg', options }
}
