import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressOutputs } from './build/compress-outputs.ts';
import { themeVariables } from './build/theme-variables.ts';

/** Where `npm run dev` finds a console that runs: it serves the API, the page comes from here. */
const CONSOLE = process.env['CONSOLE_URL'] ?? 'http://127.0.0.1:8081';
const SERVED_BY_CONSOLE = ['/api', '/session', '/users', '/invitations', '/board'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), compressOutputs()],
  build: {
    outDir: 'dist',
    assetsDir: 'static',
    target: 'es2023',
    // No file is written into another: the policy allows neither inline scripts nor styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Modules that many pages share go into a few files instead of one each: every file is a request.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /node_modules[\\/]lucide-react/ },
            {
              name: 'react',
              test: /node_modules[\\/](?:react|react-dom|scheduler|react-router|@tanstack[\\/](?:query-core|react-query))[\\/]/,
            },
            { name: 'components', test: /node_modules[\\/](?:@mantine|@floating-ui)/, minShareCount: 14 },
            // Lists and the fields of dialogs are left out: the first view has none.
            {
              name: 'parts',
              test: /src[\\/](?:parts(?![\\/](?:data-table|listing|(?:ledger-)?columns|filter|icon-action|fields|number-field)\.)|frame|api|texts)[\\/].*\.tsx?$/,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(SERVED_BY_CONSOLE.map((path) => [path, { target: CONSOLE, changeOrigin: true }])),
  },
});
