import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import type { Plugin } from 'vite';
import { theme } from '../src/theme.ts';

const NAME = 'virtual:theme-variables.css';

/**
 * The theme's variables as a style sheet. Mantine would write them into a `<style>` of the page, which the policy does not
 * allow.
 */
export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? variables() : undefined),
  };
}

function variables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  return convertCssVariables(defaultCssVariablesResolver(merged), ':root');
}
