/** Content controls of Word files: what is filled in stays when the file is opened or converted. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { fillWord } from '../../../lib/runtime/files/word-file'
import { fieldsIn as fieldsOfWord } from '../../../lib/runtime/files/word-reading'
import { wordDocument } from '../../support/files/word-document'

const part = 'word/document.xml'
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
/** A control that shows the title of the file. */
const control = (runs: string) =>
  `<w:sdt><w:sdtPr><w:alias w:val="Title"/><w:dataBinding w:xpath="/title" w:storeItemID="{1}"/><w:text/></w:sdtPr><w:sdtContent>${runs}</w:sdtContent></w:sdt>`

describe('a content control of a Word file', () => {
  const filled = async (paragraph: string) => {
    const parts = unzipSync(wordDocument(['here']))
    const markup = strFromU8(parts[part] ?? new Uint8Array())
    const file = { ...parts, [part]: strToU8(markup.replace(/<w:p>.*<\/w:p>/, `<w:p>${paragraph}</w:p>`)) }
    const bytes = Buffer.from(zipSync(file))
    const fields = await fieldsOfWord(bytes)
    should(fields).deepEqual([{ name: 'Name' }])
    const result = await fillWord(bytes, [{ name: 'Name' }], { Name: 'Ola Nordmann' }, new Set())
    return 'bytes' in result ? strFromU8(unzipSync(result.bytes)[part] ?? new Uint8Array()) : ''
  }

  it('with a field is no longer bound to the title of the file, which would replace the value', async () => {
    const markup = await filled(control(run('{Na') + run('me}')))
    should(markup).containEql('Ola Nordmann').and.containEql('<w:alias w:val="Title"/>')
    should(markup).not.containEql('dataBinding')
  })

  it('without a field stays bound, also beside one with a field', async () => {
    const markup = await filled(control(run('{Name}')) + control(run('Lease {{A}')))
    should(markup.match(/dataBinding/g)).have.length(1)
    should(markup).containEql('Lease {A}')
  })
})
