/** The typed-input types that a setting offers. */
import type { InputType, TypedField } from '../fields'

const usual: Readonly<Record<string, readonly InputType[]>> = {
  string: ['str', 'msg', 'flow', 'global', 'env', 'jsonata'],
  id: ['msg', 'str', 'flow', 'global', 'env', 'jsonata'],
  number: ['num', 'msg', 'flow', 'global', 'env', 'jsonata'],
  boolean: ['bool', 'msg', 'flow', 'global', 'env', 'jsonata'],
  object: ['json', 'msg', 'flow', 'global', 'env', 'jsonata'],
  array: ['json', 'msg', 'flow', 'global', 'env', 'jsonata'],
  any: ['str', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'],
}

type Translate = (key: string) => string

/** The types for `typedInput`: Node-RED's own by name, ours and those with suggestions as objects. `t` finds texts of the client's catalogue. */
export function typesOf(
  field: TypedField,
  suggest: () => readonly string[],
  t: Translate,
): (string | TypedInputType)[] {
  const names = field.types ?? usual[field.kind] ?? ['str']
  return names.map((name) => {
    if (name === 'auto' || name === 'form') return { value: name, label: t(`types.${name}`), hasValue: false }
    if (name === 'path' || name === 'base64') return { value: name, label: t(`types.${name}`) }
    if (name === 'str' && field.suggestions) return suggesting(suggest, t)
    // An empty choice means "not sent", which Node-RED's own true/false type can't say.
    if (name === 'bool' && field.initial === '') return threeWay(t)
    return name
  })
}

function suggesting(suggest: () => readonly string[], t: Translate): TypedInputType {
  return {
    value: 'str',
    label: t('types.str'),
    icon: 'red/images/typedInput/az.svg',
    autoComplete: (typed) => {
      const found = suggest().filter((one) => one.toLowerCase().includes(typed.toLowerCase()))
      return found.map((value) => ({ value, label: value }))
    },
  }
}

function threeWay(t: Translate): TypedInputType {
  const options = ['', 'true', 'false'].map((value) => ({ value, label: t(`types.bool${value || 'Unset'}`) }))
  return { value: 'bool', label: t('types.bool'), icon: 'red/images/typedInput/bool.svg', options }
}
