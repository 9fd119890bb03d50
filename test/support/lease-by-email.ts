/** A document whose signer is notified and reminded by e-mail. */

export const leaseByEmail = (number: number) => ({
  title: `Lease ${number}`,
  externalId: `lease-${number}`,
  contactDetails: { email: 'post@example.com' },
  dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
  signers: [
    {
      externalSignerId: 'tenant',
      signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
      notifications: { setup: { request: 'sendEmail' } },
    },
  ],
})
