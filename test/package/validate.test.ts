/** The packed package as the Flow Library judges it: its own tool, run on the unpacked tarball. */
import should from 'should'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeNames, onCanvas, read } from '../house'
import { pack, temporaryFolder } from './runtimes'

type Scorecard = Readonly<Record<string, { test?: boolean; nodes?: string[]; similar?: string[] }>>

/** What each check asks, and whether this package alone decides the answer. */
const ours = {
  P01: 'a license',
  P03: 'a repository, or a place for bugs',
  P04: 'a name with a scope',
  P05: 'the keyword that lists it',
  P06: 'a range of Node-RED that holds the newest one',
  P07: 'a range of Node.js that holds what the newest Node-RED asks for',
  N02: 'an example for every node',
  D01: 'at most six dependencies',
  D02: 'no dependency that is known to break Node-RED',
}
const notOurs = {
  P08: 'whether another package has a similar name is known to the catalogue alone, which answers here that there is none',
  N01: 'whether another package has the same types is known to the catalogue alone, which answers here that there is none',
  D03: 'it fails on the day that somebody else publishes a new major version',
}

const types = nodeNames.map((name) => `eid-${name}`)

describe('node-red-dev validate on the unpacked tarball', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  before(async () => {
    const { tarball } = await pack(folder.path)
    const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', folder.path], { encoding: 'utf8' })
    should(status).equal(0, stderr)
  })
  after(() => folder.remove())

  /** Runs the tool with these modules in the catalogue; gives what it says and the card that it writes. */
  const validate = (catalogue: readonly object[]): { said: string; card: Scorecard } => {
    const card = join(folder.path, 'card.json')
    const tool = require.resolve('node-red-dev/bin/run')
    const shim = join(__dirname, 'catalogue.cjs')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', shim, tool, 'validate', '-p', join(folder.path, 'package'), '-o', card],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, EID_CATALOGUE: JSON.stringify(catalogue) },
      },
    )
    // Its warnings break at the width of a terminal, behind a mark on every line.
    const said = stdout + stderr.replace(/\n?\s+›\s+/g, ' ')
    should(status).equal(0, said)
    return { said, card: JSON.parse(readFileSync(card, 'utf8')) as Scorecard }
  }

  it('passes every check that is ours', () => {
    const { said, card } = validate([])
    const checks = Object.keys(card).filter((key) => key !== 'package')
    should(checks.sort()).deepEqual([...Object.keys(ours), ...Object.keys(notOurs)].sort())
    should(Object.keys(ours).filter((key) => card[key]?.test !== true)).deepEqual([], said)
    // The tool lets a package without the keyword pass.
    should((JSON.parse(read('package.json')) as { keywords: string[] }).keywords).containEql('node-red')
    // Config nodes need not be shown by an example.
    should(card.N02?.nodes?.sort()).deepEqual(onCanvas.map((name) => `eid-${name}`).sort())
  })

  it('lets the tool read every node, which passes by itself what it cannot read', () => {
    const { said, card } = validate([{ id: 'another-package', types }])
    should(said).not.containEql('Unable to parse')
    const seen = [...said.matchAll(/Duplicate nodename (\S+) found in package another-package/g)].map(
      ([, type]) => type,
    )
    should(seen.sort()).deepEqual([...types].sort())
    should(card.N01?.test).be.false()
  })
})
