/* As much of ros2_control as a controller takes, after its documentation, for tests. */
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace rclcpp {
class Time {};
class Duration {};
using Value = std::variant<double, std::vector<double>>;
class Parameter {
public:
    explicit Parameter(Value value) : value_(std::move(value)) {}
    double as_double() const { return std::get<double>(value_); }
    std::vector<double> as_double_array() const { return std::get<std::vector<double>>(value_); }

private:
    Value value_;
};
}  // namespace rclcpp

namespace rclcpp_lifecycle {
class State {};
class LifecycleNode {
public:
    rclcpp::Parameter get_parameter(const std::string &name) const
    {
        return rclcpp::Parameter(values.at(name));
    }
    std::map<std::string, rclcpp::Value> values;
};
}  // namespace rclcpp_lifecycle

namespace hardware_interface {
class LoanedStateInterface {
public:
    double get_value() const { return value; }
    double value = 0.0;
};
class LoanedCommandInterface {
public:
    void set_value(double given) { value = given; }
    double value = 0.0;
};
}  // namespace hardware_interface

namespace controller_interface {
enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class return_type { OK, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };
struct InterfaceConfiguration {
    interface_configuration_type type;
    std::vector<std::string> names;
};
class ControllerInterface {
public:
    virtual ~ControllerInterface() = default;
    virtual CallbackReturn on_init() = 0;
    virtual InterfaceConfiguration command_interface_configuration() const = 0;
    virtual InterfaceConfiguration state_interface_configuration() const = 0;
    virtual CallbackReturn on_configure(const rclcpp_lifecycle::State &)
    {
        return CallbackReturn::SUCCESS;
    }
    virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;

    std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() const { return node_; }

    std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;
    std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;

protected:
    template <typename T>
    T auto_declare(const std::string &name, const T &value)
    {
        node_->values.emplace(name, value);
        return value;
    }

private:
    std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ =
        std::make_shared<rclcpp_lifecycle::LifecycleNode>();
};
}  // namespace controller_interface
