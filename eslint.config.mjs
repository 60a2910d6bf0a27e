import js from '@eslint/js';
import globals from 'globals';
import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Each name has a line of its own: it is found where it is declared. */
const ONE_LINE_A_NAME = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the members themselves instead of spreading a literal.',
  },
  {
    selector:
      'VariableDeclarator[id.type="ArrayPattern"][id.elements.length>1]:matches([init.type="ArrayExpression"], [init.callee.object.type="ArrayExpression"])',
    message: 'Declare each variable in a statement of its own.',
  },
];

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
    ...ONE_LINE_A_NAME,
    { selector: 'AwaitExpression', message: 'core/ is synchronous.' },
    { selector: 'FunctionDeclaration[async=true]', message: 'core/ is synchronous.' },
    { selector: 'ArrowFunctionExpression[async=true]', message: 'core/ is synchronous.' },
  ],
};

const BARREL = { selector: 'ExportAllDeclaration[exported=null]', message: 'A barrel exports by name.' };
const PRIVATE = {
  selector:
    ':matches(PropertyDefinition, MethodDefinition)[accessibility="private"]:not([static=true]):not([kind="constructor"])',
  message: 'A private member is written #name.',
};

export default tseslint.config(
  { ignores: ['dist', 'dist.*', 'node_modules', 'coverage', 'data', 'packages/client/src/generated'] },
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
      // These two count what a reader must hold in mind at once. How long a file or a function may be is not counted.
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'no-restricted-syntax': ['error', BARREL],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', BARREL, PRIVATE, ...ONE_LINE_A_NAME] },
  },
  { files: ['src/**/core/**/*.ts', 'packages/client/src/core/**/*.ts'], rules: purity },
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
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  prettier,
);
