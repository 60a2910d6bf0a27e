import js from '@eslint/js';
import globals from 'globals';
import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** What a core/ file may never touch: a decision is a function of its arguments (docs/design.md, rule 1). */
const purity = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { regex: '^(@nestjs|@eventstore|mongodb|lmdb|rxjs|node:|express)', message: 'core/ is pure.' },
      ],
    },
  ],
  'no-restricted-globals': [
    'error',
    'Date',
    'process',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'crypto',
    'performance',
  ],
  'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: 'core/ is pure.' }],
  'no-restricted-syntax': [
    'error',
    { selector: 'AwaitExpression', message: 'core/ is synchronous.' },
    { selector: 'FunctionDeclaration[async=true]', message: 'core/ is synchronous.' },
    { selector: 'ArrowFunctionExpression[async=true]', message: 'core/ is synchronous.' },
  ],
};

export default tseslint.config(
  { ignores: ['dist', 'dist.*', 'node_modules', 'coverage', 'data', 'src/client/generated'] },
  js.configs.recommended,
  { files: ['**/*.{cjs,mjs,js}'], languageOptions: { globals: globals.node } },
  {
    files: ['src/dashboard/assets/static/*.js', 'examples/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      complexity: ['error', 10],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration[exported=null]', message: 'A barrel exports by name.' },
      ],
      'max-depth': ['error', 3],
      // A constructor names everything that Nest injects.
      'max-params': ['error', 10],
      'max-lines': ['error', { max: 375, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/*/core/**/*.ts'], rules: purity },
  {
    files: ['test/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      'jest/no-disabled-tests': 'error',
      'jest/no-focused-tests': 'error',
      'jest/expect-expect': [
        'error',
        {
          assertFunctionNames: [
            'expect',
            'given',
            'expect*',
            '**.expect',
            '**.expect*',
            'fc.assert',
            '**.then',
            '**.thenNothing',
            '**.thenRejected',
          ],
        },
      ],
      'jest/no-conditional-expect': 'off',
      'jest/no-standalone-expect': 'off',
      'jest/no-export': 'off',
      'jest/valid-title': 'off',
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  prettier,
);
