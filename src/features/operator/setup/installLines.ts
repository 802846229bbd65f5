/** How Ollama is installed on a system, as its own download page says. */
export function installLines(platform: NodeJS.Platform): { system: string; lines: string[] } {
  return INSTALLING[platform] ?? { system: 'this system', lines: [] };
}

const INSTALLING: Partial<Record<NodeJS.Platform, { system: string; lines: string[] }>> = {
  linux: { system: 'Linux', lines: ['curl -fsSL https://ollama.com/install.sh | sh'] },
  darwin: { system: 'macOS', lines: ['brew install ollama', 'brew services start ollama'] },
  win32: { system: 'Windows', lines: ['winget install --id Ollama.Ollama'] },
};
