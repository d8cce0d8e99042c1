// Debian's ZooKeeper, where it is installed: what is left out is said.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takePort } from './ports.ts'
import { untilEqual } from './until.ts'

const JAR = '/usr/share/java/zookeeper.jar'

export interface ZooKeeper {
  readonly port: number
  remove(): Promise<void>
}

/** What a machine lacks is named by tools/test.mjs; a test that is skipped would be a failed one on CI. */
export const hasZooKeeper = (): boolean => existsSync(JAR) && existsSync('/usr/bin/java')

const isOpen = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function startZooKeeper(): Promise<ZooKeeper> {
  const folder = await mkdtemp(join(tmpdir(), 'footfall-zookeeper-'))
  const port = await takePort()
  const file = join(folder, 'zoo.cfg')
  await writeFile(
    file,
    `tickTime=2000\ndataDir=${folder}/data\nclientPort=${port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n`,
  )
  const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain'
  const child = spawn('/usr/bin/java', ['-Xmx128m', '-cp', JAR, main, file], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  const remove = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilEqual(() => isOpen(port), true, 'ZooKeeper listens')
  } catch (error) {
    await remove()
    throw error
  }
  return { port, remove }
}
