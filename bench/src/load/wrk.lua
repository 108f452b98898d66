-- Arguments: method, file of the body or "-", file of the paths (one a line) or "-", then headers as "Name: value".
local requests = {}

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

function init(args)
  wrk.method = args[1]
  if args[2] ~= '-' then wrk.body = read(args[2]) end
  for index = 4, #args do
    local name, value = args[index]:match('^([^:]+): (.*)$')
    wrk.headers[name] = value
  end
  if args[3] == '-' then
    requests[1] = wrk.format()
  else
    for path in read(args[3]):gmatch('[^\n]+') do requests[#requests + 1] = wrk.format(nil, path) end
  end
  math.randomseed(os.time())
end

function request()
  if #requests == 1 then return requests[1] end
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('\nresult %d %d %d %d %.0f %.0f\n', summary.requests, summary.duration, errors.status, broken,
    latency:percentile(50), latency:percentile(99)))
end
