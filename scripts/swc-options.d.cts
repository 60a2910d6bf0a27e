import type { Options } from '@swc/core';

declare function optionsOf(filename: string): Options;
export = optionsOf;
