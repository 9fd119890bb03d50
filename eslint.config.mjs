/** The rules of the linter. Which folder may import from which is in `.dependency-cruiser.cjs`. */
import tseslint from 'typescript-eslint'

/** @type {Record<string, 'error' | ['error', object]>} */
const strict = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/ban-ts-comment': 'error',
  'max-lines': ['error', { max: 300 }],
  'no-empty': 'error',
  eqeqeq: 'error',
}

/**
 * For scripts that Node.js runs without compiling; the compiler checks their types (tsconfig.scripts.json).
 * @type {Record<string, 'error' | ['error', object]>}
 */
const script = {
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-unused-vars': 'error',
  'prefer-const': 'error',
  'no-var': 'error',
  'max-lines': strict['max-lines'],
  'no-empty': 'error',
  eqeqeq: 'error',
}

export default tseslint.config(
  { ignores: ['dist/', '.cache/', 'node_modules/', '**/*.d.ts', '.dependency-cruiser.cjs'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: {
        // The project of the tests includes the files of tsconfig.json. Naming both would check these files twice.
        project: ['./tsconfig.test.json', './tsconfig.editor.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: strict,
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.scripts.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: script,
  },
  {
    files: ['lib/**/*.ts', 'nodes/**/*.ts', 'plugins/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
  },
  {
    // The sandbox is written from the specification. From the client, it may only import the names of the operations, as
    // a type.
    files: ['sandbox/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/lib/**'], allowTypeImports: true, message: 'only types of the operations table' }] },
      ],
    },
  },
)
