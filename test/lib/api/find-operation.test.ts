/** The operation for a path that a person typed. It decides whether the call may be repeated. */
import should from 'should'
import { findOperation } from '../../../lib/api/operations/find-operation'
import { operations, type OperationName } from '../../../lib/api/operations/operations'

describe('the operation of a typed path', () => {
  it('is found for each operation of the table, with ids in place of its parameters', () => {
    for (const [name, { method, path }] of Object.entries(operations)) {
      const typed = path.replace(/\{[^}]+\}/g, 'a-1')
      const found = findOperation(method, typed) as OperationName
      // Two operations may share a method and path; both then have the same rule.
      should(operations[found]).have.properties({ method, path })
      should(operations[found].repeat).equal(operations[name as OperationName].repeat, name)
    }
  })

  it('is found with a query, without the slash at the end, and with two slashes in a row', () => {
    const { method, path } = operations.terminateDeposit
    const typed = path.replace(/\{[^}]+\}/g, 'dep-1')
    for (const one of [typed, `${typed}/`, `${typed}?a=1/2`, typed.replaceAll('/', '//')]) {
      should(findOperation(method, one)).equal('terminateDeposit', one)
    }
  })

  it('is the one whose words are all there, before one with a parameter in that place', () => {
    should(findOperation('GET', operations.getDocument.path.replace(/\{[^}]+\}/, 'a-1'))).equal('getDocument')
    const { path } = operations.listDocuments
    should(findOperation('GET', path)).equal('listDocuments')
  })

  it('does not exist for another method, a longer path, a shorter one, or another word', () => {
    const { method, path } = operations.terminateDeposit
    const typed = path.replace(/\{[^}]+\}/g, 'dep-1')
    for (const [how, one] of [
      ['DELETE', typed],
      [method, `${typed}/more`],
      [method, typed.slice(0, typed.lastIndexOf('/'))],
      [method, `${typed}d`],
      ['GET', '/'],
    ] as const) {
      should(findOperation(how, one)).be.undefined()
    }
  })
})
