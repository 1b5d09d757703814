import { reportFamilies } from './families.ts'
import { reportLoad } from './load.ts'
import { reportMemory, reportSpeed } from './speed.ts'

const [only, seconds = '60'] = process.argv.slice(2)
if (only === undefined || only === 'families' || only === 'cases') reportFamilies(only === 'cases')
if (only === undefined || only === 'speed') reportSpeed()
if (only === undefined || only === 'memory') reportMemory()
// By name alone: it takes a minute, and a gigabyte of the temporary folder.
if (only === 'load' && !(await reportLoad(Number(seconds)))) process.exitCode = 1
