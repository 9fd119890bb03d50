/** The single account of all clients of a sandbox. */
export const ACCOUNT_ID = '00000000-0000-4000-8000-000000000001'
