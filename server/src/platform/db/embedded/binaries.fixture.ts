import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REQUIRED_EXTENSIONS } from '../schemas.ts';
import { chooseBinaries } from './choose-binaries.ts';
import { findLauncher } from './postgres-programs.ts';

/**
 * Creates a folder of programs that give another version, and otherwise are the chosen ones of this machine. Returns
 * the folder.
 * @param extensions that its installation has
 */
export async function makeBinaries(
  folder: string,
  version: string,
  extensions: readonly string[] = REQUIRED_EXTENSIONS,
): Promise<string> {
  const real = await chooseBinaries({ cluster: folder, launcher: await findLauncher() });
  const share = join(folder, 'share');
  const write = (name: string, option: string, response: string) =>
    writeFile(
      join(folder, name),
      `#!/bin/sh\nif [ "$1" = ${option} ]; then\n${response}\nelse exec '${real.folder}/${name}' "$@"; fi\n`,
      { mode: 0o755 },
    );
  await mkdir(join(share, 'extension'), { recursive: true });
  for (const extension of extensions) await writeFile(join(share, 'extension', `${extension}.control`), '');
  await write('postgres', '--version', `echo 'postgres (PostgreSQL) ${version}'`);
  await write('initdb', '--show', `echo 'share_path=${share}' >&2`);
  return folder;
}
