import { reportFamilies } from './families.ts'
import { reportMask } from './mask.ts'
import { reportMemory, reportSpeed } from './speed.ts'

const only = process.argv[2]
if (only === undefined || only === 'families' || only === 'cases') reportFamilies(only === 'cases')
if (only === undefined || only === 'speed') reportSpeed()
if (only === undefined || only === 'mask') reportMask()
if (only === undefined || only === 'memory') reportMemory()
