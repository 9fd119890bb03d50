/** Reads the amount of a deposit from its record. */
import { getPath } from '../values/read-text'

/**
 * The deposit's full amount according to its contract, otherwise the amount paid in; undefined if the record contains
 * neither.
 */
export function depositAmount(deposit: unknown): number | undefined {
  const [amount, rent, factor] = ['depositAmount', 'monthlyRent', 'depositFactor'].map((name) =>
    Number(getPath(deposit, `contract.${name}`) ?? NaN),
  )
  const found = [amount, Number(rent) * Number(factor), Number(getPath(deposit, 'status.funds') ?? NaN)]
  return found.find((one) => one !== undefined && Number.isFinite(one))
}
