/** The formats in which a document's file can be downloaded. */
export const fileFormats = ['unsigned', 'native', 'standard_packaging', 'pades', 'xades', 'packaged'] as const
